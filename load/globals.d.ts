/** k6 has a console of its own; its types leave it to the DOM's. */
declare const console: { log(message: string): void };
