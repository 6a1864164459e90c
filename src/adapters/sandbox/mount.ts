/** One thing of the root that a script sees. `empty` is a folder with nothing in it that can't be written to. */
export type Mount =
  | { readonly kind: 'read' | 'write' | 'empty'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
