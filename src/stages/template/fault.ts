/** What is wrong with a template or its rendering, in the words of its author. It does not leave this folder. */
export class TemplateFault extends Error {}
