/** What a form says about a member of a request. */

interface Named {
  readonly label: string;
  readonly hint?: string;
}

/** A member that is one of a few words has a name for each of them. */
export type MemberWords<V = string> = [V] extends [string]
  ? string extends V
    ? Named
    : Named & { readonly options: { readonly [C in V]: string } }
  : Named;

/** The words of any member, as the controls read them. */
export interface AnyWords extends Named {
  readonly options?: Readonly<Record<string, string>>;
}
