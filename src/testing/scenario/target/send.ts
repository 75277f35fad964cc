import type { HttpsAnswer, HttpsClient } from '../../../adapters/config/kubeconfig/call-server.ts';
import { type Trace, isTrace } from '../../../explain/trace/trace.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest, WorldUser } from '../world.ts';

/** Impersonates other users. `hasTraces`: the server is kadmit and keeps traces. */
export function createTargetSend({ send }: HttpsClient, hasTraces: boolean): ScenarioWorld['send'] {
  return async (sent) => {
    const { method, path, body, as, contentType = 'application/json' } = sent;
    const startedAt = performance.now();
    const answer = await send({
      method,
      path: `${path}${queryText(sent.query)}`,
      headers: {
        'user-agent': 'kadmit',
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...impersonation(as),
      },
      body: body === undefined ? undefined : writeJson(body),
    });
    const milliseconds = performance.now() - startedAt;
    const trace = hasTraces && isTraced(sent) ? await traceOf(answer, send) : undefined;
    return { ...answerOf(answer), milliseconds, trace };
  };
}

function queryText(query: WorldRequest['query'] = {}): string {
  const params = new URLSearchParams();
  for (const [key, values] of Object.entries(query)) for (const value of [values].flat()) params.append(key, value);
  return params.size === 0 ? '' : `?${params.toString()}`;
}

/** As client-go sends them. */
function impersonation(user: WorldUser | undefined): Readonly<Record<string, string | readonly string[]>> {
  if (!user) return {};
  const { username, uid = '', groups = [], extra = {} } = user;
  const extras = Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, values]);
  return {
    'impersonate-user': username,
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(extras),
  };
}

const answerOf = ({ code, text, warnings }: HttpsAnswer): Pick<WorldAnswer, 'code' | 'body' | 'warnings'> => ({
  code,
  body: parseJsonObject(text),
  warnings: warnings.flatMap(warningTexts),
});

/** Other text is under `text`. */
export function parseJsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : { text };
  } catch {
    return { text };
  }
}

/** Writes and CONNECT have traces; a CONNECT to a proxy is a GET. */
const isTraced = ({ method, path }: WorldRequest): boolean => method !== 'GET' || path.endsWith('/proxy');

async function traceOf({ headers }: HttpsAnswer, send: HttpsClient['send']): Promise<Trace | undefined> {
  const id = headers['audit-id'];
  if (typeof id !== 'string') return undefined;
  const path = `/kadmit/v1/traces/${encodeURIComponent(id)}`;
  const { code, text } = await send({ method: 'GET', path, headers: {}, body: undefined });
  const trace: unknown = code === 200 ? parseJsonObject(text) : undefined;
  return isTrace(trace) ? trace : undefined;
}

/** Texts of a Warning header with one or more `299 - "a text"`. Follows apimachinery pkg/util/net/http.go ParseWarningHeaders. */
export const warningTexts = (header: string): readonly string[] =>
  [...header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
