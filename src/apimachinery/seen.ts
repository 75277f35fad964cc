/** Tells a text that stands at several places. */
export interface Seen {
  /** Has the text been asked for at another place before? */
  readonly isRepeated: (text: string, at: string) => boolean;
  /** The same, and this place does not count. */
  readonly isElsewhere: (text: string, at: string) => boolean;
}

/** `known` are texts that stand elsewhere. */
export function createSeen(known: () => Iterable<string> = () => []): Seen {
  const places = new Map<string, string>();
  for (const text of known()) places.set(text, elsewhere);
  const isElsewhere: Seen['isElsewhere'] = (text, at) => {
    const first = places.get(text);
    return first !== undefined && first !== at;
  };
  return {
    isElsewhere,
    isRepeated: (text, at) => {
      if (!places.has(text)) places.set(text, at);
      return isElsewhere(text, at);
    },
  };
}

/** No path. */
const elsewhere = '';
