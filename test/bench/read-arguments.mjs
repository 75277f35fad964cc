import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Arguments as parseArgs reads them. With --help, prints the comment that a program begins with and ends; an argument that it does not know ends it with one line. */
export function readArguments(url, config) {
  const help = helpOf(url);
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${error.message}\nusage: ${help.slice(0, help.indexOf(': '))}\n`);
    process.exit(2);
  }
}

function helpOf(url) {
  const lines = readFileSync(new URL(url), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('// '));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join('\n');
}
