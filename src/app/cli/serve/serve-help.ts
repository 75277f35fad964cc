import { upstreamHelp } from '../../../adapters/config/upstream/options.ts';
import type { AdmissionPlugins } from '../command.ts';
import type { Flag } from '../../../adapters/config/flags/flags.ts';
import { serveFlags } from '../../../adapters/config/flags/serve/serve-options.ts';

const textWidth = 100;

/** `kadmit serve --help`: every flag, and the admission plugins in the order they run; `running` are those of other flags. */
export function serveHelp({ inOrder, byDefault }: AdmissionPlugins, running: readonly string[] = []): string {
  return [
    'usage: kadmit serve [FLAGS]',
    '',
    'Runs the API server until Ctrl-C. Flags that kube-apiserver has keep its names and meaning.',
    '',
    ...Object.values<Flag<unknown>>(serveFlags).flatMap(flagLines),
    '',
    'More flags of kube-apiserver:',
    '',
    ...upstreamHelp.flatMap((flag) => flagLines({ ...flag, argument: 'VALUE' })),
    '',
    ...wrapped(
      'Any other flag of kube-apiserver is taken too, and a line on standard error says that it means nothing here.',
      '',
    ),
    '',
    ...wrapped(`Admission plugins, in the order they run: ${inOrder.join(', ')}.`, ''),
    '',
    ...wrapped(`Run by default: ${inOrder.filter((name) => byDefault.includes(name)).join(', ')}.`, ''),
    ...(running.length === 0 ? [] : ['', ...wrapped(`Run with these flags: ${running.join(', ')}.`, '')]),
  ].join('\n');
}

function flagLines({
  name,
  argument,
  help,
  fallback,
  shownFallback,
}: Omit<Flag<unknown>, 'read' | 'isSwitch'>): readonly string[] {
  const standard = shownFallback ?? (Array.isArray(fallback) ? fallback.join(',') : String(fallback));
  const note = standard === '' ? '' : ` (default ${standard})`;
  return [`  --${name} ${argument}`, ...wrapped(`${help}${note}`, '        ')];
}

function wrapped(text: string, indent: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= textWidth) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
