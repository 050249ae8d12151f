/** Places for connections and calls, half of which are kept for callers that have shown a token. */

export interface Place {
  /** Whether its holder has shown a token. */
  hasToken: boolean;
  /** Ends what the place was given to. */
  readonly end: () => void;
}

/**
 * Callers without a token hold at most half of the places. One more of them, or one with a token when all are taken, gets the place of the
 * caller without a token that has held its own longest: so nobody keeps others out by waiting.
 */
export class Places {
  private readonly held = { open: new Set<Place>(), token: new Set<Place>() };

  constructor(private readonly max: number) {}

  get size(): number {
    return this.held.open.size + this.held.token.size;
  }

  /** Returns a place, or null when callers with a token hold all of them. */
  take(hasToken: boolean, end: () => void): Place | null {
    const { open } = this.held;
    const isFull = this.size >= this.max || (!hasToken && open.size >= Math.max(1, Math.floor(this.max / 2)));
    if (isFull) {
      const [longest] = open;
      if (longest === undefined) return null;
      open.delete(longest);
      longest.end();
    }
    const place = { hasToken, end };
    this.setOf(place).add(place);
    return place;
  }

  leave(place: Place): void {
    this.setOf(place).delete(place);
  }

  /** Notes that the holder has shown a token. */
  showToken(place: Place): void {
    if (place.hasToken || !this.held.open.delete(place)) return;
    place.hasToken = true;
    this.held.token.add(place);
  }

  private setOf({ hasToken }: Place): Set<Place> {
    return hasToken ? this.held.token : this.held.open;
  }
}
