import type { Act, Case } from './case.ts';

/** All payloads of a case, in order. */
export const payloads = (acts: Case): readonly Uint8Array[] => acts.flatMap(payloadsOf);

/** The case with another payload at this position. */
export function withPayload(acts: Case, place: number, bytes: Uint8Array): Case {
  let seen = 0;
  return acts.map((act) => {
    const first = seen;
    seen += payloadsOf(act).length;
    return place >= first && place < seen ? replacePayload(act, place - first, bytes) : act;
  });
}

/** The size of all payloads in bytes. */
export const sizeOf = (acts: Case): number => payloads(acts).reduce((sum, bytes) => sum + bytes.length, 0);

function payloadsOf(act: Act): readonly Uint8Array[] {
  switch (act.act) {
    case 'bytes':
      return act.chunks;
    case 'folder':
      return Object.values(act.files);
    case 'answer':
    case 'request':
      return [act.body];
  }
}

function replacePayload(act: Act, index: number, bytes: Uint8Array): Act {
  switch (act.act) {
    case 'bytes':
      return { ...act, chunks: act.chunks.with(index, bytes) };
    case 'folder': {
      const files = Object.entries(act.files).map(([name, file], at) => [name, at === index ? bytes : file] as const);
      return { ...act, files: Object.fromEntries(files) };
    }
    case 'answer':
    case 'request':
      return { ...act, body: bytes };
  }
}
