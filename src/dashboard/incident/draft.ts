/** What somebody wrote and did not try yet. It outlives a lost session and a reload of the page, in this tab only. */
const nameOf = (id: number): string => `podmend.manifest.${id}`;

/** The draft of a record; undefined when there is none, or when the browser keeps nothing. */
export function draftOf(id: number): string | undefined {
  try {
    return sessionStorage.getItem(nameOf(id)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft; undefined drops it. */
export function keepDraft(id: number, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(nameOf(id));
    else sessionStorage.setItem(nameOf(id), text);
  } catch {
    // Without storage the draft lives as long as the page.
  }
}
