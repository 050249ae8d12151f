/** The part of qrcode 1.5 that is used here (the package ships no types). */
declare module 'qrcode' {
  type Level = 'L' | 'M' | 'Q' | 'H';
  interface QrCode {
    toString(text: string, options: { readonly type: 'utf8' | 'svg'; readonly errorCorrectionLevel: Level }): Promise<string>;
    create(
      text: string,
      options: { readonly errorCorrectionLevel: Level },
    ): { readonly modules: { readonly size: number; readonly data: ArrayLike<number> } };
  }
  const qrcode: QrCode;
  export default qrcode;
}
