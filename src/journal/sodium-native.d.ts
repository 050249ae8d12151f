/** The part of sodium-native 5 that is used here (the package ships no types). */
declare module 'sodium-native' {
  interface Sodium {
    readonly crypto_sign_PUBLICKEYBYTES: number;
    readonly crypto_sign_SECRETKEYBYTES: number;
    readonly crypto_sign_BYTES: number;
    sodium_malloc(size: number): Buffer;
    crypto_sign_seed_keypair(publicKey: Buffer, secretKey: Buffer, seed: Buffer): void;
    crypto_sign_detached(signature: Buffer, message: Uint8Array, secretKey: Buffer): void;
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
    sodium_memcmp(a: Buffer, b: Buffer): boolean;
    sodium_memzero(buffer: Buffer): void;
  }
  const sodium: Sodium;
  export default sodium;
}
