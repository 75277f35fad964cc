/** Vite collects the styles that scripts import. */
declare module '*.css';
