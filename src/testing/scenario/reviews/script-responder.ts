import { replyTo, type StubReply } from '../../stubs/stub-reply.ts';
import { loadScript } from '../../stubs/load-script.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';

export type ScriptResponder =
  | { readonly outcome: 'loaded'; readonly respond: (review: JsonObject) => Promise<StubReply> }
  | { readonly outcome: 'unloadable'; readonly error: string };

/** Answers reviews like a webhook, without HTTP. */
export async function respondWithScript(file: string): Promise<ScriptResponder> {
  const loading = await loadScript(file);
  if (loading.outcome === 'unloadable') return loading;
  const spec = { name: file, does: [{ type: 'script', run: loading.run }], faults: [] } as const;
  return { outcome: 'loaded', respond: (review) => replyTo(spec, review, undefined) };
}
