/** The part of qrcode 1.5 that is used here (the package ships no types). */
declare module 'qrcode' {
  interface QrCode {
    toString(
      text: string,
      options: { readonly type: 'utf8' | 'svg'; readonly errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H' },
    ): Promise<string>;
  }
  const qrcode: QrCode;
  export default qrcode;
}
