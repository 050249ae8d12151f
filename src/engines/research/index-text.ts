export interface Passage { readonly a: number }
