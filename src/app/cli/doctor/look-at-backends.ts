import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { Backend } from '../../../explain/trace/chain-document.ts';
import { healthSentence } from '../../../explain/render/chain-words.ts';
import { callServer } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import { ok } from './check.ts';
import type { Check } from './check.ts';

/** Can the webhooks that are configured be reached, and what happens if not? */
export async function lookAtBackends(access: ServerAccess, now: number): Promise<readonly Check[]> {
  const { code, text } = await callServer(access, { method: 'GET', path: '/kadmit/v1/backends' });
  if (code !== 200) return [];
  const backends = asList(asObject(JSON.parse(text))['backends']).flatMap((one) => (isBackend(one) ? [one] : []));
  return backends.length === 0 ? [ok('no webhook is configured')] : backends.map((one) => backendCheck(one, now));
}

const isBackend = (value: unknown): value is Backend => isJsonObject(value) && asString(value['name']) !== '';

/** A webhook that is not there is a problem, unless the requests go on without it. */
export function backendCheck({ phase, name, within, failurePolicy, health, assumed }: Backend, now: number): Check {
  const who = `${phase} webhook ${name} (${within})`;
  if (assumed) return { level: 'note', text: `${who}: not called, assumed to ${assumed} (--assume)` };
  if (!health) return ok(who);
  const text = `${who}: ${healthSentence(health, now)}`;
  if (health.outcome === 'reachable') return ok(text);
  return failurePolicy === 'Ignore'
    ? { level: 'warning', text, hint: 'requests go on without it: its failurePolicy is Ignore' }
    : {
        level: 'problem',
        text,
        hint: `start it, say where it listens (kadmit map), or kadmit serve --assume ${name}=allow`,
      };
}
