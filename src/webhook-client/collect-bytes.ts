/** Puts chunks together, up to a limit. */
export interface ByteCollector {
  /** false: they would be too many, and this chunk is not taken. */
  readonly add: (chunk: Uint8Array) => boolean;
  /** What there is so far. */
  readonly bytes: () => Uint8Array;
}

const longestBlock = 256 * 1024;

/**
 * The memory it takes goes by the bytes, not by the chunks they come in: somebody may send one at a time. It grows by blocks,
 * so that nothing is left behind by the way.
 */
export function collectBytes(limit: number): ByteCollector {
  let blocks: Buffer[] = [];
  let length = 0;
  /** What of the last block is free. */
  let free = Buffer.alloc(0);
  const put = (chunk: Uint8Array): void => {
    free.set(chunk);
    free = free.subarray(chunk.length);
  };
  return {
    add: (chunk) => {
      if (length + chunk.length > limit) return false;
      const rest = chunk.subarray(free.length);
      put(chunk.subarray(0, free.length));
      if (rest.length > 0) {
        // Nothing of it is shown before it has been written over.
        free = Buffer.allocUnsafe(Math.max(rest.length, Math.min(limit - length, length, longestBlock)));
        blocks.push(free);
        put(rest);
      }
      length += chunk.length;
      return true;
    },
    bytes: () => {
      const [first = free] = blocks;
      if (blocks.length < 2) return first.subarray(0, length);
      const whole = Buffer.allocUnsafe(Math.min(limit, 2 * length));
      let at = 0;
      for (const block of blocks) at += block.copy(whole, at, 0, length - at);
      blocks = [whole];
      free = whole.subarray(length);
      return whole.subarray(0, length);
    },
  };
}
