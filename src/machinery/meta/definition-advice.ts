/** The error for an object of another kind where a CustomResourceDefinition is expected. */
export const notADefinitionText = (kind: string): string => `${kind} is no CustomResourceDefinition: put it into load`;
