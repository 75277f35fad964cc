/** Vite collects the imported styles. */
declare module '*.css';
