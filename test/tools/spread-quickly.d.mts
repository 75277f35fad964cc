export function spreadQuickly(code: string): string;
