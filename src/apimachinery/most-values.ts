/** Ours, and four times as many as the largest CustomResourceDefinitions have: each keeps everybody else waiting a little. */
export const mostValues = 100_000;

export const tooManyValuesText = `kadmit takes at most ${mostValues} values in a body`;
