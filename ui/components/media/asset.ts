// An asset as the views know it: no study, no contract. The screen fills it in.
import type { DocumentView, Reading } from "$ui/components/document/view";

export type AssetState = "ok" | "mismatch" | "missing" | "reference_only" | "skipped" | "failed";

/** What a view says when it cannot show something. */
export interface ViewFailure {
  code: string;
  message: string;
}

/** What plays a sound or a video: the app's own decoder to the sound card, or the window's web view. */
export type Engine = "sound_card" | "web_view";

/** A look at a waveform: lowest and highest sample per column, -1 to 1. */
export interface Waveform {
  columns: readonly (readonly [number, number])[];
  from_ms: number;
  to_ms: number;
  /** Length of the sound; none while it is unknown. */
  duration_ms?: number | null | undefined;
  decoded_ms: number;
  /** Was all of it decoded? Otherwise the columns behind `decoded_ms` are a sketch: ask again. */
  whole: boolean;
}

/** Which stretch of a sound is looked at, and in how many columns. */
export interface WaveformLook {
  columns: number;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
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
  audio?: {
    codec?: string | null;
    sample_rate?: number | null;
    channels?: number | null;
    duration_ms?: number | null;
    variable_bitrate?: boolean | null;
  } | null;
  video?: {
    width?: number | null;
    height?: number | null;
    fps?: number | null;
    constant_frame_rate?: boolean | null;
    duration_ms?: number | null;
    start_ms?: number | null;
    /** Degrees. */
    rotation?: number | null;
    audio_tracks?: number | null;
  } | null;
  document?: {
    pages?: number | null;
    sheets?: number | null;
    slides?: number | null;
    encoding?: string | null;
  } | null;
}

/** The sound-card player outside the web view: exact to the sample. */
export interface SoundCard {
  /** Names the sound among the cards of a page. */
  readonly id: string;
  load(how: SoundCardLoad): Promise<SoundCardState>;
  state(): Promise<SoundCardState>;
  stop(): Promise<void>;
}
export interface SoundCardLoad {
  /** From where; none: where it is, or where the clip beside it is. */
  at_ms?: number | undefined;
  play: boolean;
  /** A part that repeats. */
  repeat_ms?: readonly [number, number] | undefined;
  /** 0 to 1. */
  volume?: number | undefined;
  /** The id of a clip to compare with: it runs silently beside, at the same loudness. */
  beside?: string | undefined;
  /** Is that other one to be heard? */
  other?: boolean | undefined;
}
export interface SoundCardState {
  /** Is the player holding this sound, and not another one that was loaded since? */
  mine: boolean;
  position_ms: number;
  /** 0 while it is unknown. */
  duration_ms: number;
  playing: boolean;
  /** Is it the clip beside that is heard? */
  other: boolean;
  /** What the comparison adds to the level of what is heard, dB. */
  gain_db: number;
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
  waveform?: (look: WaveformLook) => Promise<Waveform>;
  document?: (reading?: Reading) => Promise<DocumentView>;
  /** Draws the pages of an office document; the address of the PDF. */
  pages?: () => Promise<string>;
  card?: SoundCard;
}

export interface ShownAsset {
  /** Stays the same for the same asset. */
  key: string;
  /** Its content's hash; none where there is no content. */
  hash?: string | null;
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

/**
 * Frames per second, where frames may be counted: at a rate that is constant, by a clock that begins where the file says. Web
 * views begin that of a transport stream elsewhere (WebKitGTK at its first clock reference, before the first picture).
 */
export function countable(facts: Facts | null): number | undefined {
  if (facts?.video?.constant_frame_rate !== true || facts.format === "ts") return undefined;
  return facts.video.fps ?? undefined;
}

/** The view for a format as the probe names it. */
export const viewFor = (format: string): ViewKind => byFormat[format.toLowerCase()] ?? "none";

/** The view for a file whose format may hold sound alone or pictures too, as soon as it is known which. */
export function viewOf(format: string, kind: string | undefined): ViewKind {
  const view = viewFor(format);
  const either = view === "audio" || view === "video";
  return either && (kind === "audio" || kind === "video") ? kind : view;
}
