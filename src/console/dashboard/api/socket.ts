/** The progress socket. The token goes along as a subprotocol, which the server does not echo; never in the address. */

const progress_protocol = 'agi-progress.v1';

/** @see RFC 4648, section 5; without padding, as a subprotocol is a token of RFC 9110 */
function base64url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export type OpenSocket = () => WebSocket;

export function socketFor(token: string): OpenSocket {
  return () => {
    const address = new URL('/ws/progress?format=json', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(address, [progress_protocol, `bearer.${base64url(token)}`]);
  };
}
