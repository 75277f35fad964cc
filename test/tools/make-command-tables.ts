import { type Command, commandGroups } from '../../src/app/cli/command.ts';

/**
 * The page with the rows of these commands between its two marks: groups and purposes in docs/README.md, documents in
 * docs/reference/json-output.md. Rows keep their links and documents; a new command gets `reference/NAME.md` and, with
 * `-o json`, `NAME.schema.json`.
 */
export const makeCommandGroups = (page: string, commands: readonly Command[]): string =>
  betweenMarks(page, (before) => {
    const rows = rowsByCommand(before);
    const table = (group: string): string =>
      [
        `| ${group} | |`,
        '| --- | --- |',
        ...commands
          .filter((command) => command.group === group)
          .map(({ name, purpose }) => {
            const link = /\((?<link>[^)]+)\)/.exec(rows.get(name)?.[0] ?? '')?.groups?.['link'];
            return `| [\`kadmit ${name}\`](${link ?? `reference/${name}.md`}) | ${purpose} |`;
          }),
      ].join('\n');
    return commandGroups.map(table).join('\n\n');
  });

export const makeDocumentTable = (page: string, commands: readonly Command[]): string =>
  betweenMarks(page, (before) => {
    const rows = rowsByCommand(before);
    const row = ({ name, flags }: Command): string => {
      const hasJson = flags.some(({ short, argument }) => short === 'o' && argument.includes('json'));
      const document = rows.get(name)?.[1] ?? (hasJson ? `[${name}](${name}.schema.json)` : 'none');
      return `| \`kadmit ${name}\` | ${document} |`;
    };
    const byName = commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return ['| Command | Document |', '| --- | --- |', ...byName.map(row)].join('\n');
  });

const begin = '<!-- commands: begin -->';
const end = '<!-- commands: end -->';

function betweenMarks(page: string, make: (before: string) => string): string {
  const [head, rest] = page.split(begin);
  const [before, tail] = rest?.split(end) ?? [];
  if (head === undefined || before === undefined || tail === undefined) throw new Error(`no ${begin} … ${end}`);
  return `${head}${begin}\n\n${make(before)}\n\n${end}${tail}`;
}

/** The cells of the rows that name a command. */
const rowsByCommand = (table: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    table.split('\n').flatMap((line) => {
      const name = /^\| \[?`kadmit (?<name>[\w-]+)`/.exec(line)?.groups?.['name'];
      return name === undefined ? [] : [[name, line.slice(2, -2).split(' | ')] as const];
    }),
  );
