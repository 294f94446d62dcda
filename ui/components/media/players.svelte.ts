// Who answers Space, comma and full stop: the player that was used last, or else the first one on the page. Only one
// plays at a time.
import { untrack } from "svelte";
import { keys } from "$ui/shortcuts";
import type { AssetSource, SoundCard } from "./asset";

/** A sound that can be compared with another one. */
export interface Clip {
  card: SoundCard;
  name: string;
}

export interface Player {
  readonly element: HTMLElement;
  /** For sounds that the sound card can play. */
  readonly clip?: Clip | undefined;
  /** Would the sound card play it, if there is one? */
  readonly wantsCard?: boolean;
  toggle(): void;
  pause(): void;
  seekBy(seconds: number): void;
  step(frames: number): void;
  faster(steps: number): void;
  loop(): void;
  /** The part to repeat begins, or ends, here. */
  mark(edge: "from" | "to"): void;
  /** Hears the other of two clips that are compared. */
  changeOver?(): void;
}
export interface Picture {
  readonly element: HTMLElement;
  readonly name: string;
  readonly source: AssetSource;
  /** Does it belong to what was asked, not to the answer? */
  readonly input: boolean;
  enlarge(): void;
}

let players: readonly Player[] = $state.raw([]);
const pictures: Picture[] = [];
let used: Player | undefined;

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** The next speed up or down; ends stay. */
export function otherSpeed(speed: number, steps: number): number {
  const at = SPEEDS.findIndex((s) => s >= speed);
  return SPEEDS[Math.min(Math.max((at < 0 ? SPEEDS.length - 1 : at) + steps, 0), SPEEDS.length - 1)] ?? 1;
}

/** A player on the page; the answer takes it off again. */
export function joinPlayers(player: Player): () => void {
  untrack(() => (players = [...players, player]));
  return () => {
    untrack(() => (players = players.filter((other) => other !== player)));
    if (used === player) used = undefined;
  };
}
/** The other sounds on the page that this one can be compared with, each once. */
export function comparable(player: Player): Clip[] {
  const own = player.clip?.card.id;
  const clips = players.filter((other) => other !== player).flatMap((other) => other.clip ?? []);
  return clips.filter(
    (clip, at) => clip.card.id !== own && clips.findIndex((other) => other.card.id === clip.card.id) === at,
  );
}
/** Is it the first of the sounds that the sound card would play? What holds for all of them is said there, once. */
export function speaksForAll(player: Player): boolean {
  return first(players.filter((other) => other.wantsCard)) === player;
}
export function joinPictures(picture: Picture): () => void {
  pictures.push(picture);
  return () => void pictures.splice(pictures.indexOf(picture), 1);
}

/** The other pictures of the page, those that came with the prompt first: what one may be compared with. */
export function picturesBeside(one: Picture): { name: string; source: AssetSource }[] {
  const all = pictures.filter((other) => other !== one);
  return [...all.filter((other) => other.input), ...all.filter((other) => !other.input)];
}

/** This player was touched: keys go to it. When it begins to play, the others stop. */
export function use(player: Player, plays: boolean): void {
  used = player;
  if (plays) for (const other of players) if (other !== player) other.pause();
}

/** Makes the first player inside an element the one that keys go to, as when its card is selected. */
export function useWithin(container: Element | null): void {
  const found = container && players.find((p) => container.contains(p.element));
  if (found) used = found;
}

const first = <E extends { element: HTMLElement }>(all: readonly E[]): E | undefined =>
  [...all].sort((a, b) =>
    a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )[0];

const main = (): Player | undefined =>
  used ?? first(players.filter((p) => p.element.closest("[data-main]"))) ?? first(players);

/** The players' keys; a screen that shows assets calls this while it is set up. */
export function playerKeys(): void {
  const act = (what: (player: Player) => void) => (): boolean => {
    const player = main();
    if (player) what(player);
    return player !== undefined;
  };
  keys("player", () => ({
    "player.toggle": act((p) => p.toggle()),
    "player.back": act((p) => p.seekBy(-5)),
    "player.on": act((p) => p.seekBy(5)),
    "player.stepBack": act((p) => p.step(-1)),
    "player.stepOn": act((p) => p.step(1)),
    "player.slower": act((p) => p.faster(-1)),
    "player.faster": act((p) => p.faster(1)),
    "player.loop": act((p) => p.loop()),
    "player.from": act((p) => p.mark("from")),
    "player.to": act((p) => p.mark("to")),
    "player.changeOver": act((p) => p.changeOver?.()),
    "player.enlarge": () => {
      const picture = first(pictures.filter((p) => p.element.closest("[data-main]"))) ?? first(pictures);
      picture?.enlarge();
      return picture !== undefined;
    },
  }));
}
