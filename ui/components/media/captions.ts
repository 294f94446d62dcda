// Captions inside a video, as the backend reads them out of it.

/** The address of a video's captions, if it holds some that can be read; none otherwise. */
export async function captionsOf(url: string): Promise<string | null> {
  const address = `${url}/captions.vtt`;
  const answer = await fetch(address);
  return answer.ok ? address : null;
}
