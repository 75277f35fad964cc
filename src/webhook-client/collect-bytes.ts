/** Puts chunks together, up to a limit. */
export interface ByteCollector {
  /** false: they would be too many, and this chunk is not taken. */
  readonly add: (chunk: Uint8Array) => boolean;
  readonly bytes: () => Uint8Array;
}

/** The memory it takes goes by the bytes, not by the chunks they come in: somebody may send one at a time. */
export function collectBytes(limit: number): ByteCollector {
  let collected = Buffer.alloc(0);
  let length = 0;
  return {
    add: (chunk) => {
      const needed = length + chunk.length;
      if (needed > limit) return false;
      if (needed > collected.length) {
        // Nothing of it is shown before it has been written over.
        const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(limit, collected.length * 2)));
        larger.set(collected.subarray(0, length));
        collected = larger;
      }
      collected.set(chunk, length);
      length = needed;
      return true;
    },
    bytes: () => collected.subarray(0, length),
  };
}
