package dev.haltgate;

/** The step that decided. */
public enum Stage {
  /** The rung does not gate this call. */
  NOT_GATED,
  /** A deny entry or a denial matched. */
  DENY_LIST,
  /** The rung is bypass. */
  BYPASS,
  /** The command is one that nothing may let through. */
  HARDLINE_FLOOR,
  /** An escalate entry matched. */
  ESCALATE_ENTRY,
  /** An allow entry or a grant matched. */
  ALLOW_LIST,
  /** An allow entry or a grant matched, and the command was still rated. */
  ALLOW_TRIPWIRE,
  /** The rating decided. */
  RATER,
  /** The tool may reach parties outside. */
  TOOL_OPEN_WORLD_FLOOR,
  /** Nothing matched, and at this rung nothing is rated. */
  UNRATED_RUNG
}
