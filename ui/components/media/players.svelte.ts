// Who answers Space, comma and full stop: the player that was used last, or else the first one on the page. Only one
// plays at a time.
import { keys } from "$ui/shortcuts";
import type { AssetSource } from "./asset";

export interface Player {
  readonly element: HTMLElement;
  toggle(): void;
  pause(): void;
  seekBy(seconds: number): void;
  step(frames: number): void;
  faster(steps: number): void;
  loop(): void;
}
export interface Picture {
  readonly element: HTMLElement;
  readonly name: string;
  readonly source: AssetSource;
  /** Does it belong to what was asked, not to the answer? */
  readonly input: boolean;
  enlarge(): void;
}

const players: Player[] = [];
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
  players.push(player);
  return () => {
    players.splice(players.indexOf(player), 1);
    if (used === player) used = undefined;
  };
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
    "player.enlarge": () => {
      const picture = first(pictures.filter((p) => p.element.closest("[data-main]"))) ?? first(pictures);
      picture?.enlarge();
      return picture !== undefined;
    },
  }));
}
