/** What is said of an object of this kind that was given as a CustomResourceDefinition, by a scenario or the library. */
export const noDefinition = (kind: string): string => `${kind} is no CustomResourceDefinition: put it into load`;
