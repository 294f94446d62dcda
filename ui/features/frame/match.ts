// Finding an act by its words: every typed word must begin a word of the label or stand in it; beginnings come first.

export function match<A>(wanted: string, acts: readonly A[], label: (act: A) => string): A[] {
  const words = wanted.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...acts];
  return acts
    .map((act, at) => {
      const text = label(act).toLocaleLowerCase("en");
      const starts = text.split(/[^\p{L}\p{N}]+/u);
      let score = 0;
      for (const word of words) {
        if (text.startsWith(word)) score += 3;
        else if (starts.some((s) => s.startsWith(word))) score += 2;
        else if (text.includes(word)) score += 1;
        else return { act, at, score: 0 };
      }
      return { act, at, score };
    })
    .filter((m) => m.score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map((m) => m.act);
}
