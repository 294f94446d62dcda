// An asset as the views know it: no study, no contract. The screen fills it in.
import type { DocumentView, Reading } from "$ui/components/document/view";

export type AssetState = "ok" | "mismatch" | "missing" | "reference_only" | "skipped" | "failed";

/** What a view says when it cannot show something. */
export interface ViewFailure {
  code: string;
  message: string;
}

/** A waveform: lowest and highest sample per column, -1 to 1. */
export interface Waveform {
  columns: readonly (readonly [number, number])[];
  duration_ms?: number | null | undefined;
}

/** What is known of a file; the parts of a probe that are shown. */
export interface Facts {
  kind?: string;
  format?: string;
  problems?: readonly { code: string; message: string }[];
  image?: {
    width?: number | null;
    height?: number | null;
    orientation?: number | null;
    frames?: number | null;
    duration_ms?: number | null;
  } | null;
  audio?: { sample_rate?: number | null; channels?: number | null; duration_ms?: number | null } | null;
  video?: {
    width?: number | null;
    height?: number | null;
    fps?: number | null;
    constant_frame_rate?: boolean | null;
    duration_ms?: number | null;
    audio_tracks?: number | null;
  } | null;
  document?: {
    pages?: number | null;
    sheets?: number | null;
    slides?: number | null;
    encoding?: string | null;
  } | null;
}

/** A sound-card player outside the web view, for sample-exact seeking and codecs that it lacks. */
export interface SoundCard {
  load(at_ms: number, play: boolean): Promise<SoundCardState>;
  state(): Promise<SoundCardState>;
  stop(): Promise<void>;
}
export interface SoundCardState {
  /** Is the player holding this sound, and not another one that was loaded since? */
  mine: boolean;
  position_ms: number;
  duration_ms: number;
  playing: boolean;
  failure?: ViewFailure | null | undefined;
}

/** A part of a picture, in its pixels. */
export interface PicturePart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How a picture is wanted. */
export interface PictureWish {
  /** This frame or page, from 0; left out where the bytes may be shown with all their frames. */
  frame?: number;
  /** This part at full size. */
  part?: PicturePart;
  /** Convert it: the bytes were tried and failed. */
  convert?: boolean;
}

/** How a picture is shown. */
export interface Picture {
  url: string;
  /** The bytes themselves; else a PNG that stands in for them. */
  original: boolean;
  /** The whole picture, upright; unknown where only the web view can tell. */
  width: number | null;
  height: number | null;
  /** The PNG has fewer pixels than the picture. */
  scaled: boolean;
  pages: number;
  /** How long each frame stays, where it moves; else empty. */
  delays_ms: readonly number[];
}

/** How to get at an asset's content; each is asked only when its view is shown. */
export interface AssetSource {
  /** Bytes for pictures and PDFs. */
  url: string;
  /** The loopback address with Range, for sound and video. */
  mediaUrl: string;
  facts?: () => Promise<Facts | null>;
  picture?: (wish: PictureWish) => Promise<Picture>;
  waveform?: () => Promise<Waveform>;
  document?: (reading?: Reading) => Promise<DocumentView>;
  /** Draws the pages of an office document; the address of the PDF. */
  pages?: () => Promise<string>;
  card?: SoundCard;
}

export interface ShownAsset {
  /** Stays the same for the same asset. */
  key: string;
  name: string;
  format: string;
  bytes: number;
  state: AssetState;
  link?: string | null;
  source: AssetSource | null;
}

export type ViewKind = "image" | "audio" | "video" | "pdf" | "document" | "none";

const byFormat: Record<string, ViewKind> = {
  ...of("image", "png jpeg jpg gif webp avif svg bmp tiff"),
  ...of("audio", "wav mp3 ogg flac m4a opus aac"),
  ...of("video", "mp4 webm mkv mov avi ts"),
  ...of("pdf", "pdf"),
  ...of("document", "docx xlsx pptx csv txt md html rtf odt ods odp zip"),
};

function of(view: ViewKind, formats: string): Record<string, ViewKind> {
  return Object.fromEntries(formats.split(" ").map((format) => [format, view]));
}

/** Size as it is shown: EXIF's orientations 5 to 8 lie on their side. */
export function uprightSize(image: Facts["image"]): { width: number; height: number } | null {
  if (image?.width == null || image.height == null) return null;
  const { width, height } = image;
  return (image.orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height };
}

/** The view for a format as the probe names it. */
export const viewFor = (format: string): ViewKind => byFormat[format.toLowerCase()] ?? "none";
