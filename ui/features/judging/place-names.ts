// Places as people read them.
import { clock } from "$ui/components/media/clock";
import type { Place } from "$ui/components/pointing/places.svelte";
import { pointing as words } from "$ui/text/pointing";

const SHORT = 40;

export function placeName(place: Place): string {
  switch (place.kind) {
    case "text": {
      const quote = place.quote.replace(/\s+/g, " ");
      return words.quote(quote.length > SHORT ? `${quote.slice(0, SHORT - 1)}…` : quote);
    }
    case "box": {
      const box = words.boxAt(place.width, place.height, place.x, place.y);
      return place.frame > 1 ? `${words.frame(place.frame)}, ${box}` : box;
    }
    case "time":
      return words.range(clock(place.from_ms / 1000, 1), clock(place.to_ms / 1000, 1));
    case "page":
      return words.page(place.page);
    case "cells":
      return words.sheet(place.sheet, place.cells);
  }
}
