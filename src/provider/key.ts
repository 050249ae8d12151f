/** The key of a provider. Its value leaves this object only as the header of a request: printed or serialized, it shows a placeholder. */

/** A shorter key is only accepted on loopback: as a secret it is none, and a response may contain it by chance. */
const provider_key_chars_min = 8;
export const provider_key_chars_max = 4_096;

const placeholder = '[key]';

export class ProviderKey {
  readonly #value: string;

  private constructor(value: string) {
    this.#value = value;
  }

  /** Returns the key, or null for a text that no request header can hold: one that is empty, too long, or not visible ASCII. */
  static read(value: string): ProviderKey | null {
    return value.length <= provider_key_chars_max && /^[!-~]+$/.test(value) ? new ProviderKey(value) : null;
  }

  /** The value of the request header Authorization (RFC 6750, section 2.1). */
  get authorization(): string {
    return `Bearer ${this.#value}`;
  }

  /** Whether the key is too short to be a secret, such as the placeholder that a local server wants. */
  get isPlaceholder(): boolean {
    return this.#value.length < provider_key_chars_min;
  }

  /** Returns whether a JSON value contains the key, in a text or in the name of a member. */
  occursIn(value: unknown): boolean {
    if (this.isPlaceholder) return false;
    if (typeof value === 'string') return value.includes(this.#value);
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([name, member]) => this.occursIn(name) || this.occursIn(member));
  }

  /** Returns the text without the key. */
  redact(text: string): string {
    return this.isPlaceholder ? text : text.replaceAll(this.#value, placeholder);
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }
}
