/** The part of qrcode 1.5 that the pages use (the package ships no types). */
declare module 'qrcode' {
  interface QrCode {
    create(
      text: string,
      options: { readonly errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H' },
    ): { readonly modules: { readonly size: number; readonly data: ArrayLike<number> } };
  }
  const qrcode: QrCode;
  export default qrcode;
}
