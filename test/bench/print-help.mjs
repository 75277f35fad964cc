import { readFileSync } from 'node:fs';

/** With --help, prints the comment that a program begins with and ends. */
export function printHelpIfAsked(url) {
  if (!process.argv.includes('--help') && !process.argv.includes('-h')) return;
  const lines = readFileSync(new URL(url), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('// '));
  process.stdout.write(
    `${lines
      .slice(0, end)
      .map((line) => line.slice(3))
      .join('\n')}\n`,
  );
  process.exit(0);
}
