/** A manifest that was edited but not tried. It survives a lost session and a reload, in this tab and for this person only. */
const nameOf = (person: number, id: number): string => `draft:${person}:manifest:${id}`;

/** The draft of a record. Undefined if there is none or storage is unavailable. */
export function draftOf(person: number, id: number): string | undefined {
  try {
    return sessionStorage.getItem(nameOf(person, id)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft; undefined drops it. */
export function keepDraft(person: number, id: number, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(nameOf(person, id));
    else sessionStorage.setItem(nameOf(person, id), text);
  } catch {
    // Without storage, the draft lives as long as the page.
  }
}
