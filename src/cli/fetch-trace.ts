import https from 'node:https';
import { isJsonObject } from '../apimachinery/json.ts';
import { ConfigError } from '../server-config.ts';
import type { ServerAccess } from './read-kubeconfig.ts';

/** The text of a trace; `id` is its Audit-Id, or `last`. Throws ConfigError when the server cannot be reached or does not have it. */
export function fetchTrace(access: ServerAccess, id: string): Promise<string> {
  const { url, ca, certificate, key, token } = access;
  const options = {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}/kadmit/v1/traces/${encodeURIComponent(id)}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new ConfigError(messageIn(text)));
      });
    });
    request.on('error', (error) => reject(new ConfigError(`${url} cannot be reached: ${error.message}`)));
  });
}

function messageIn(text: string): string {
  try {
    const status: unknown = JSON.parse(text);
    return isJsonObject(status) && typeof status['message'] === 'string' ? status['message'] : text;
  } catch {
    return text;
  }
}
