export function requireLater(code: string): string;
