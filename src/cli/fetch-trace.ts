import { ConfigError } from '../server-config.ts';
import { callServer, messageIn } from './call-server.ts';
import type { ServerAccess } from './read-kubeconfig.ts';

/** The text of a trace; `id` is its Audit-Id, or `last`. Throws ConfigError when the server cannot be reached or does not have it. */
export async function fetchTrace(access: ServerAccess, id: string): Promise<string> {
  const path = `/kadmit/v1/traces/${encodeURIComponent(id)}`;
  const { code, text } = await callServer(access, { method: 'GET', path });
  if (code !== 200) throw new ConfigError(messageIn(text));
  return text;
}
