package dev.haltgate;

import java.util.List;

/**
 * A rating outside of any decision.
 *
 * @param rating the rating
 * @param policyRevision the revision that the rater was chosen under
 * @param framedLines the call, the outcome and the reason, ready to print row by row
 */
public record RateResult(Rating rating, String policyRevision, List<String> framedLines) {}
