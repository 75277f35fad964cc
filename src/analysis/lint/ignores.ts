import type { Place } from '../../testing/scenario/format.ts';
import type { LintRule } from './rule-table.ts';

export type Ignores = (rule: LintRule, places: readonly Place[]) => boolean;

const comment = /#\s*kadmit-ignore:\s*([\w*-]+(?:\s*,\s*[\w*-]+)*)/;

/**
 * Reads `# kadmit-ignore: rule, other-rule` (or `*`): after a field it applies to that field, on a line of its own to
 * what begins on the next line, before a document to the whole document.
 */
export function ignoresIn(texts: ReadonlyMap<string, string>): Ignores {
  const byFile = new Map([...texts].map(([file, text]) => [file, rulesByLine(text)]));
  return (rule, places) =>
    places.some(({ file, line }) => {
      const rules = byFile.get(file)?.get(line) ?? [];
      return rules.includes(rule) || rules.includes('*');
    });
}

function rulesByLine(text: string): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  if (!text.includes('kadmit-ignore')) return found;
  let waiting: readonly string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const rules =
      comment
        .exec(line)?.[1]
        ?.split(',')
        .map((one) => one.trim()) ?? [];
    const isBare = /^\s*(#|$|---)/.test(line);
    if (isBare) {
      waiting = [...waiting, ...rules];
    } else {
      if (waiting.length + rules.length > 0) found.set(index + 1, [...waiting, ...rules]);
      waiting = [];
    }
  }
  return found;
}
