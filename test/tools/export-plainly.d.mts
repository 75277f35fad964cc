export function exportPlainly(code: string): string;
