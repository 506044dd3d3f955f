type Word = string | ((...values: never[]) => unknown) | { readonly [name: string]: Word };

/** The shape of a word list: any text for a text, the same parameters for a function. */
export type Wide<T> = T extends string
  ? string
  : T extends (...values: infer A) => infer R
    ? (...values: A) => R extends string ? string : R
    : { readonly [K in keyof T]: Wide<T[K]> };

export interface Words<T> {
  readonly en: Wide<T>;
  readonly ja: Wide<T>;
}

/** Defines a page's texts in both languages; both must have the same texts. */
export function defineWords<T extends { readonly [name: string]: Word }>(words: {
  en: T & Wide<NoInfer<T>>;
  ja: Wide<NoInfer<T>>;
}): Words<T> {
  return words;
}
