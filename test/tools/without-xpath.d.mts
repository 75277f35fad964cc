export function withoutXPath(code: string): string;
