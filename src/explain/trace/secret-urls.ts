/** The credentials in a webhook's URL: user info, query values, and path segments that look random. */
export function secretsInUrl(text: string): readonly string[] {
  const [, user = '', path = '', query = ''] = /^[^:/]*:\/\/(?:([^/?#]*)@)?[^/?#]*([^?#]*)\??([^#]*)/.exec(text) ?? [];
  const asked = query.split('&').flatMap((pair) => (pair.startsWith('timeout=') ? [] : pair.split('=').slice(1)));
  return [user, ...user.split(':').slice(1), ...asked, ...path.split('/').filter(looksMadeUp)].filter(
    (part) => part !== '',
  );
}

/** Long, with letters and digits. */
const looksMadeUp = (part: string): boolean => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part);

/** The commands in the query of an exec. */
export const commandsIn = (query: string): readonly string[] => new URLSearchParams(query).getAll('command');

/** A command word that stays readable: `sh`, `-c`, `bin/ls`. */
export const isPlainWord = (word: string): boolean => /^[-A-Za-z/._]{0,7}$/.test(word);

export function withoutCommands(query: string, maskOf: (command: string) => string): string {
  const masked = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query))
    masked.append(name, name === 'command' ? maskOf(value) : value);
  return masked.toString();
}
