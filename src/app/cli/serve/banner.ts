import { relative, resolve } from 'node:path';
import { version } from '../version.ts';

export interface BannerFacts {
  readonly url: string;
  /** Of the page, with its token; '' when there is none. */
  readonly uiUrl: string;
  /** '' when none was written. */
  readonly kubeconfig: string;
  /** Where admission plugins of the user's own run, a sentence each. */
  readonly ownPlugins: readonly string[];
  readonly startedInMs: number;
  /** argv[1]: the script that runs. */
  readonly script: string;
}

/** What the server prints when it is ready: where it is, and what to type next. */
export function banner({ url, uiUrl, kubeconfig, ownPlugins, startedInMs, script }: BannerFacts): string {
  return [
    `kadmit ${version()} is ready at ${url} (${Math.round(startedInMs)} ms)`,
    ...ownPlugins.map((sentence) => `Your plugin ${sentence}`),
    '',
    'In another terminal:',
    '',
    ...(kubeconfig === '' ? [] : [`  export KUBECONFIG=${quoted(resolve(kubeconfig))}`]),
    '  kubectl apply -f your-webhook-configuration.yaml',
    '  kubectl apply -f your-pod.yaml',
    `  ${commandName(script)} explain last    # which webhooks were called, which were not, and why`,
    '',
    ...(uiUrl === '' ? [] : [`The page: ${uiUrl}`, '']),
    'Ctrl-C stops it.',
  ].join('\n');
}

const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** How the user can call kadmit: by its name when that is what ran, else by its script. */
function commandName(script: string): string {
  return script.endsWith('.js') ? `node ${quoted(relative('', script) || script)}` : 'kadmit';
}
