/** Thrown through the generated parser and the tree's builder when a limit ends them; caught by `parse`. */
export class ParserGaveUp extends Error {}

export const recursionLimit = 250;

export const tooDeeplyNested = `expression recursion limit exceeded: ${recursionLimit}`;
