// Requests that are sent before the screen that needs their answers has loaded.

const sent = new Map<string, Promise<Response>>();

export const HEADERS = { accept: 'application/json' } as const;

/** Requests these paths of the API now. The first `takeEarly` of each gets the answer. */
export function sendEarly(paths: readonly string[]): void {
  for (const path of paths) {
    const answer = fetch(path, { headers: HEADERS });
    // Whoever takes the answer handles the error. An answer that nobody takes is of no interest.
    answer.catch(() => undefined);
    sent.set(path, answer);
  }
}

/** The answer to a request that was sent early, once. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = sent.get(path);
  sent.delete(path);
  return answer;
}

/** Forgets the answers that nobody has taken, because they are getting old. */
export const dropEarly = (): void => sent.clear();
