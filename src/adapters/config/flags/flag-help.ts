import type { Flag, FlagsOf } from './flags.ts';

const column = 25;

/** The lines of `--help`: `  --name ARGUMENT  help (default)`. */
export const flagLines = <Options>(flags: FlagsOf<Options>): readonly string[] =>
  Object.values<Flag<unknown>>(flags).map(({ name, argument, isSwitch, help, fallback, shownFallback }) => {
    const standard = shownFallback ?? String(fallback);
    const shown = isSwitch === true || standard === '' ? '' : ` (${standard})`;
    return `  ${`--${name}${isSwitch === true ? '' : ` ${argument}`}`.padEnd(column)}  ${help}${shown}`;
  });
