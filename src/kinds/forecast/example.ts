import type { Example } from '../works.js';

export const forecastExample: Example<'forecast'> = {
  goal: 'Forecast the daily visitors of a public swimming hall for the next two weeks from 17 weeks of counts that begin on a Monday; hold the last two weeks back to measure the error. One day with an early closure is left in the series. The counts are constructed for illustration.',
  work: {
    kind: 'forecast',
    observations: [
      433, 362, 376, 353, 433, 546, 598, 411, 385, 384, 360, 479, 549, 593, 460, 399, 402, 429, 471, 536, 569, 456, 413, 380, 433,
      467, 550, 590, 451, 426, 388, 433, 455, 544, 609, 439, 403, 378, 402, 449, 525, 570, 449, 412, 372, 392, 312, 558, 570, 433,
      420, 428, 430, 440, 573, 601, 449, 422, 395, 416, 428, 591, 626, 465, 435, 428, 439, 484, 584, 598, 461, 445, 468, 471, 523,
      615, 649, 505, 458, 444, 467, 521, 599, 643, 504, 459, 453, 485, 515, 603, 642, 477, 461, 454, 468, 514, 588, 655, 493, 458,
      431, 475, 520, 580, 646, 489, 456, 462, 430, 525, 615, 648, 488, 467, 447, 463, 514, 652, 640,
    ],
    horizon: 14,
    holdout: 14,
    season: 7,
    levels: [50, 80, 95],
    unit: 'visitors per day',
  },
};
