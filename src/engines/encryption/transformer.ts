import { errorText } from '../../apimachinery/error-text.ts';

/** Turns what is stored into what lies in the storage, and back. Both throw an Error in upstream's words. */
export interface Transformer {
  /** `path` is where the value lies; values that were moved elsewhere may not open. */
  readonly toStorage: (data: Buffer, path: string) => Buffer;
  readonly fromStorage: (data: Buffer, path: string) => Opened;
  /** Asks others for what these values are opened with; undefined: nobody has to be asked. */
  readonly unlock?: (values: readonly Buffer[]) => Promise<void> | undefined;
}

export interface Opened {
  readonly data: Buffer;
  /** It would be written in another way today. */
  readonly stale: boolean;
}

/** A transformer, and what the values begin with that it made. */
export interface PrefixedTransformer {
  readonly prefix: string;
  readonly transformer: Transformer;
}

/**
 * Values are opened by the first whose prefix they have and who can, and made by the first of all.
 * Follows apiserver pkg/storage/value/transformer.go.
 */
export function byPrefix(noneFits: string, all: readonly PrefixedTransformer[]): Transformer {
  const known = all.map(({ prefix, transformer }) => ({ prefix: Buffer.from(prefix), transformer }));
  const [first] = known;
  if (!first) throw new Error('a list of transformers is not empty');
  const unlocking = known.filter(({ transformer }) => transformer.unlock);
  return {
    toStorage: (data, path) => Buffer.concat([first.prefix, first.transformer.toStorage(data, path)]),
    fromStorage: (data, path) => {
      const errors: string[] = [];
      for (const { prefix, transformer } of known) {
        if (!startsWith(data, prefix)) continue;
        try {
          const opened = transformer.fromStorage(data.subarray(prefix.length), path);
          return { data: opened.data, stale: opened.stale || transformer !== first.transformer };
        } catch (error) {
          // What has no prefix says only that the value is somebody else's.
          if (prefix.length > 0) errors.push(errorText(error));
        }
      }
      const different = [...new Set(errors)];
      if (different.length > 1) throw new Error(`[${different.join(', ')}]`);
      throw new Error(different[0] ?? noneFits);
    },
    ...(unlocking.length > 0 && {
      unlock: (values) => {
        const asked = unlocking.flatMap(({ prefix, transformer }) => {
          const own = values.filter((value) => startsWith(value, prefix)).map((value) => value.subarray(prefix.length));
          return (own.length > 0 && transformer.unlock?.(own)) || [];
        });
        return asked.length === 0 ? undefined : Promise.all(asked).then(() => undefined);
      },
    }),
  };
}

const startsWith = (data: Buffer, prefix: Buffer): boolean => data.subarray(0, prefix.length).equals(prefix);

const encrypted = Buffer.from('k8s:enc:');

/** Leaves values as they are. Follows apiserver pkg/storage/value/encrypt/identity/identity.go. */
export const identity: Transformer = {
  toStorage: (data) => data,
  fromStorage: (data) => {
    if (startsWith(data, encrypted)) throw new Error('identity transformer tried to read encrypted data');
    return { data, stale: false };
  },
};
