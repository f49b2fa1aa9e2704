package dev.haltgate;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** Iterates over a list that comes page by page, and reads a page when it is needed. */
final class Pages<Item> implements Iterator<Item> {
  /** One page, and the token of the next; empty on the last one. */
  record Page<Item>(List<? extends Item> items, String next) {}

  private final Function<String, Page<Item>> read;
  private Iterator<? extends Item> items;
  private String next;

  Pages(String first, Function<String, Page<Item>> read) {
    this.read = read;
    this.next = first;
  }

  @Override
  public boolean hasNext() {
    while (items == null || !items.hasNext()) {
      if (items != null && next.isEmpty()) {
        return false;
      }
      Page<Item> page = read.apply(next);
      items = page.items().iterator();
      next = page.next();
    }
    return true;
  }

  @Override
  public Item next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return items.next();
  }
}
