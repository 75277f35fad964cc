/** Reads the commands of a Markdown page, and renders the page with their real output. */
export type Piece =
  | { readonly type: 'text'; readonly lines: readonly string[] }
  /** A `console` block, whose outputs are compared, or an `sh` block without outputs. */
  | { readonly type: 'commands'; readonly shows: boolean; readonly commands: readonly PageCommand[] }
  /** `<!-- $ COMMAND -->`: a hidden command that a block needs. */
  | { readonly type: 'hidden'; readonly command: string; readonly lines: readonly string[] }
  /** `<!-- Ctrl-C: COMMAND -->`: stops the program that COMMAND started. */
  | { readonly type: 'stop'; readonly command: string; readonly lines: readonly string[] };

export interface PageCommand {
  readonly command: string;
  readonly output: readonly string[];
}

/** Splits a page into its commands and everything else. */
export function parsePage(page: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const lines = page.split('\n');
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const stop = /^<!-- Ctrl-C: (.*) -->$/.exec(line)?.[1];
    const hidden = /^<!-- \$ (.*) -->$/.exec(line)?.[1];
    const fence = /^```(console|sh)$/.exec(line)?.[1];
    const end = fence === undefined ? at : lines.indexOf('```', at);
    if (fence !== undefined) pieces.push(commandsIn(fence, lines.slice(at + 1, end)));
    else if (stop !== undefined) pieces.push({ type: 'stop', command: stop, lines: [line] });
    else if (hidden !== undefined) pieces.push({ type: 'hidden', command: hidden, lines: [line] });
    else pieces.push({ type: 'text', lines: [line] });
    at = end + 1;
  }
  return pieces;
}

function commandsIn(fence: string, lines: readonly string[]): Piece {
  if (fence === 'sh') {
    return { type: 'commands', shows: false, commands: lines.map((command) => ({ command, output: [] })) };
  }
  const starts = lines.flatMap((line, index) => (line.startsWith('$ ') ? [index] : []));
  const commands = starts.map((start, index) => ({
    command: (lines[start] ?? '').slice(2),
    output: lines.slice(start + 1, starts[index + 1] ?? lines.length),
  }));
  return { type: 'commands', shows: true, commands };
}

/** Renders the page. */
export function renderPage(pieces: readonly Piece[]): string {
  return pieces.flatMap(linesOf).join('\n');
}

function linesOf(piece: Piece): readonly string[] {
  if (piece.type !== 'commands') return piece.lines;
  const { shows, commands } = piece;
  if (!shows) return ['```sh', ...commands.map(({ command }) => command), '```'];
  return ['```console', ...commands.flatMap(({ command, output }) => [`$ ${command}`, ...output]), '```'];
}

/** Replaces values that differ from run to run: times, ids, generated names, free ports. */
export const normaliseOutput = (text: string): string =>
  text
    .replaceAll(/\d+(?:\.\d+)? m?s\b/g, '<time>')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<uid>')
    .replaceAll(/\?token=[\w-]+/g, '?token=<token>')
    .replaceAll(/\brevision=\d+/g, 'revision=<rv>')
    .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-<suffix>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<now>')
    .replaceAll(/ +(?:\d+\.\d|MS)(?=  |$)/gm, ' <milliseconds>')
    .replaceAll(/^\d\d:\d\d:\d\d /gm, '<clock> ')
    .replaceAll(/\b(PORT=|port |127\.0\.0\.1:)\d{5}\b/g, '$1<port>');

/** The output for the page: the present one while it is correct. Output of npm before the program starts is not compared. */
export function outputToShow(shown: readonly string[], actual: readonly string[]): readonly string[] {
  const start = Math.max(
    shown.findLastIndex((line) => line.startsWith('> ')),
    -1,
  );
  const preamble = start < 0 ? [] : shown.slice(0, start + 2);
  const rest = shown.slice(preamble.length);
  return normaliseOutput(rest.join('\n')) === normaliseOutput(actual.join('\n')) ? shown : [...preamble, ...actual];
}
