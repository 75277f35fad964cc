/**
 * The texts of a Warning header: `299 - "a text"`, perhaps several behind each other. Follows apimachinery
 * pkg/util/net/http.go ParseWarningHeaders.
 */
export const warningTexts = (header: string): readonly string[] =>
  [...header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
