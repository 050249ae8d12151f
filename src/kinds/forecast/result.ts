/** The result of a forecast mission. Forecasts and bounds have 15 significant digits, other computed numbers 12; errors are in the unit of the observations. */
export interface ScoredModel {
  readonly name: string;
  /** Share in the mean of the best few; 0 for a model outside it. */
  readonly weight: number;
  /**
   * Mean absolute error over all rolling origins and steps of the training observations; of rare demand the root of the mean squared error of
   * the paths' sums, a step.
   */
  readonly score: number;
  /** Fitted on the training observations; the score and the holdout's predictions use these. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Fitted on all observations, for the forecast; null for a model outside the mean and the median. */
  readonly refit: Readonly<Record<string, number>> | null;
}

export interface Band {
  readonly level: number;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** A value that does not belong to its series; the methods take the replacement in its place. */
export interface Outlier {
  /** The position in the observations, counted from 0. */
  readonly index: number;
  readonly value: number;
  readonly replacement: number;
}

/** What one unit of a regressor adds to the value of its step, with a 90 % interval; null where the series cannot tell. */
export interface Effect {
  readonly name: string;
  readonly effect: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /**
   * What the forecast takes: the effect less the share of it that its standard error explains, 1 − (standard error / effect)²; 0 where the
   * interval holds 0.
   */
  readonly applied: number;
}

export interface Diagnostics {
  readonly seasons: readonly number[];
  readonly score_steps: number;
  readonly origins: readonly number[];
  readonly window: number;
  readonly mase_period: number;
  /** The share of the median of `median_of` in the combination; the mean of the best few has the rest. */
  readonly median_share: number;
  readonly median_of: readonly string[];
  /** The size of the errors is taken to follow this power of the level of the series. */
  readonly level_power: number;
  /** Outliers of all observations, replaced for the forecast. */
  readonly outliers: readonly Outlier[];
  /** Outliers of the training observations, replaced for the scores and the holdout. */
  readonly training_outliers: readonly Outlier[];
  /** A step of the level near the end; what is before it was taken at the new level. */
  readonly level_shift?: { readonly index: number; readonly shift: number };
  /** The effects on the training observations, for the scores and the holdout; `effects` are those on all observations. */
  readonly training_effects?: readonly Effect[];
  /** Band half-width at step k is the factor times the spread of step k; `spread_first` and `spread_last` are those of the forecast. */
  readonly factors: readonly { readonly level: number; readonly factor: number }[];
  /** The factors of the bands that the holdout was compared with. */
  readonly holdout_factors: readonly { readonly level: number; readonly factor: number }[];
  readonly spread_first: number;
  readonly spread_last: number;
}

export interface ForecastResult {
  readonly method: string;
  /** The models, best score first. */
  readonly models: readonly ScoredModel[];
  readonly training_scores: Readonly<Record<string, number>>;
  readonly train_count: number;
  /** Null for a gap, on which no error is measured. */
  readonly holdout_actual: readonly (number | null)[];
  readonly holdout_predictions: readonly number[];
  readonly holdout_mae: number;
  /** Null when the training observations never change over `mase_period`. */
  readonly holdout_mase: number | null;
  readonly holdout_smape: number;
  /** The error of repeating the last training value. */
  readonly baseline_mae: number;
  /** 1 − holdout_mae / baseline_mae; null when the baseline makes no error. */
  readonly improvement: number | null;
  readonly coverage: readonly { readonly level: number; readonly share: number }[];
  readonly forecast: readonly number[];
  readonly intervals: readonly Band[];
  /** By name; there where the mission has regressors. */
  readonly effects?: readonly Effect[];
  readonly diagnostics: Diagnostics;
  /** The dates of the steps, in the form of the mission's `start`; there where it has one and a `step`. */
  readonly holdout_dates?: readonly string[];
  readonly forecast_dates?: readonly string[];
  readonly unit: string;
  readonly limits: readonly string[];
}
